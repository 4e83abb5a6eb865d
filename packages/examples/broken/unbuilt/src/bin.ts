/** Outside of what this package builds, so there is never a `lib/bin.js` beside it. */
process.stdout.write('this runs from source only\n')
