/** Is killed as the kernel kills what takes too much memory. */
process.stdout.write('about to be killed\n', () => process.kill(process.pid, 'SIGKILL'))
