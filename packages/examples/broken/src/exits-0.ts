/** Ends well, at once. */
process.stdout.write('all is well\n')
