/** The environment of an agent's programs: the host's own, without what would let a program act for someone else. Pure. */

/**
 * Not inherited: accounts and endpoints of OpenAI and Codex (an account is chosen by its folder), proxies (the CLI would send even
 * loopback requests through them), flags of our own Node, and the harness' names (a program of the agent is not the fixture).
 */
const withheld =
  /^(?:openai_.*|codex_.*|(?:https?|all|no)_proxy|npm_config_(?:https?_|no_?)?proxy|node_options|loader_smoke_.*)$/i

/** Addresses that no proxy is used for, when a config sets one. */
const LOOPBACK = '127.0.0.1,localhost,::1'

/** `inherited`, filtered, with `NO_PROXY` for loopback, then `layers` over it; `null` removes a name. */
export function programEnv(
  inherited: Readonly<Record<string, string | undefined>>,
  ...layers: readonly Readonly<Record<string, string | null>>[]
): Record<string, string> {
  const env: Record<string, string> = {}
  for (const [name, value] of Object.entries(inherited)) {
    if (value !== undefined && !withheld.test(name)) env[name] = value
  }
  env['NO_PROXY'] = LOOPBACK
  env['no_proxy'] = LOOPBACK
  for (const layer of layers) {
    for (const [name, value] of Object.entries(layer)) {
      if (value === null) delete env[name]
      else env[name] = value
    }
  }
  return env
}
