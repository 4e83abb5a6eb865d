/** What a process can end with. Pure. */

/**
 * The largest exit code that a process of `platform` can end with: one byte, on Windows 32 bits. A larger one could never be met.
 * @see https://pubs.opengroup.org/onlinepubs/9799919799/functions/_exit.html
 * @see https://learn.microsoft.com/windows/win32/api/processthreadsapi/nf-processthreadsapi-getexitcodeprocess
 */
export function maxExitCode(platform: NodeJS.Platform = process.platform): number {
  return platform === 'win32' ? 4_294_967_295 : 255
}
