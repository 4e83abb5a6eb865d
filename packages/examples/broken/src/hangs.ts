/** Never ends: a timer keeps it alive. */
process.stdout.write('still here\n')
setInterval(() => {}, 60_000)
