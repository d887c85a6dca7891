import { existsSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

/** The server package: holds `src`, `data` and `package.json`, in the repository and where it is deployed. */
export const packageRoot = fileURLToPath(new URL('../../', import.meta.url))

const workspaceRoot = fileURLToPath(new URL('../../../../', import.meta.url))

/** The repository in a checkout; the server package itself where it is deployed alone. */
export const projectRoot = existsSync(`${workspaceRoot}pnpm-workspace.yaml`) ? workspaceRoot : packageRoot
