/** Says why on standard error and exits 7. */
process.stdout.write('half of the work is done\n')
process.stderr.write('the other half is not possible\n')
process.exitCode = 7
