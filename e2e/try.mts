import { cp, rename, rm } from 'node:fs/promises'
import { packPackages, usePacked, userEnvironment, ROOT } from './packed.ts'
import { spawnSync } from 'node:child_process'
await rm('/tmp/cli/tw', { recursive: true, force: true })
const packed = await packPackages(['turn', 'harness', 'model-replay', 'cli'], '/tmp/cli/tw/packed')
console.log(packed)
const w = '/tmp/cli/tw/turbo workspace'
await cp(ROOT + 'e2e/turbo-workspace', w, { recursive: true })
await rename(w + '/gitignore', w + '/.gitignore')
for (const f of ['', '/apps/agent', '/packages/greeting']) await usePacked(w + f, packed)
const sh = (c: string) => { const t = Date.now(); const r = spawnSync('sh', ['-c', c], { cwd: w, env: userEnvironment(), stdio: 'inherit' }); console.log('##', c, r.status, Date.now() - t) }
sh('npm install --no-audit --no-fund 2>&1 | tail -5')
sh('git init -q && git add -A && git -c user.name=a -c user.email=a@b commit -qm x')
sh('node --version; npx turbo run smoke smoke:lib')
sh('npx turbo run smoke smoke:lib')
