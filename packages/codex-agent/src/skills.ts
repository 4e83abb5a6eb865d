/** The skills of a workspace. */
import type { Skill } from '@loader-smoke/agent-sdk'
import type { Client } from './connection/app-server.ts'

/** A skill, and the file that a prompt names it by. */
export interface LocatedSkill {
  readonly skill: Skill
  readonly path: string
}

/** The enabled skills of the workspace, the user and the system. */
export async function readSkills(client: Client, workspace: string): Promise<readonly LocatedSkill[]> {
  const { data } = await client.request('skills/list', { cwds: [workspace] })
  return (data ?? [])
    .flatMap((entry) => entry?.skills ?? [])
    .flatMap((skill) =>
      skill && skill.enabled !== false && skill.name
        ? [
            {
              path: skill.path ?? '',
              skill: {
                name: skill.name,
                description: skill.shortDescription ?? skill.description ?? '',
                source: skill.scope ?? '',
                manualOnly: false,
              },
            },
          ]
        : [],
    )
}
