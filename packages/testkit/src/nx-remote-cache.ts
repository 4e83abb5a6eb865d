/** A server that speaks the remote cache protocol of Nx, on loopback and in memory. */
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

/** A running remote cache; `await using` closes it. */
export interface RemoteCache extends AsyncDisposable {
  /** What a client of it has in its environment. */
  readonly env: Readonly<Record<string, string>>
  /** Hashes that are stored. */
  readonly stored: ReadonlyMap<string, Buffer>
  /** How many requests were answered with a stored entry. */
  readonly hits: () => number
}

const TOKEN = 'loopback-token'

/**
 * `GET` and `PUT /v1/cache/{hash}` with a bearer token.
 * @see https://nx.dev/recipes/running-tasks/self-hosted-caching#open-api-specification
 */
export async function remoteCache(): Promise<RemoteCache> {
  const stored = new Map<string, Buffer>()
  let hits = 0
  const server = createServer(async (request, response) => {
    const hash = /^\/v1\/cache\/([\w-]+)$/.exec(request.url ?? '')?.[1]
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk as Buffer)
    const answer = (status: number, body?: Buffer) =>
      response.writeHead(status, { 'content-type': 'application/octet-stream' }).end(body)
    if (request.headers.authorization !== `Bearer ${TOKEN}`)
      return response.writeHead(401, { 'content-type': 'text/plain' }).end('this token is not known')
    if (hash === undefined) return answer(404)
    if (request.method === 'PUT') {
      if (stored.has(hash)) return answer(409)
      stored.set(hash, Buffer.concat(chunks))
      return answer(200)
    }
    const entry = stored.get(hash)
    if (entry !== undefined) hits += 1
    return answer(entry === undefined ? 404 : 200, entry)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  return {
    env: {
      NX_SELF_HOSTED_REMOTE_CACHE_SERVER: `http://127.0.0.1:${port}`,
      NX_SELF_HOSTED_REMOTE_CACHE_ACCESS_TOKEN: TOKEN,
    },
    stored,
    hits: () => hits,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}
