import { homedir } from 'node:os'
import { isAbsolute, join, resolve } from 'node:path'

// Where longtake keeps what it makes: LONGTAKE_HOME, or the platform's data folder.
export function dataHome(
  environment: Readonly<Record<string, string | undefined>>,
  platform: NodeJS.Platform = process.platform,
): string {
  if (environment.LONGTAKE_HOME) return resolve(environment.LONGTAKE_HOME)
  const user = environment.HOME || environment.USERPROFILE || homedir()
  if (platform === 'win32') return join(environment.LOCALAPPDATA || join(user, 'AppData', 'Local'), 'longtake')
  if (platform === 'darwin') return join(user, 'Library', 'Application Support', 'longtake')
  // The XDG specification says to ignore a relative path.
  const data = environment.XDG_DATA_HOME
  return join(data && isAbsolute(data) ? data : join(user, '.local', 'share'), 'longtake')
}
