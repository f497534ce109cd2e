import { homedir } from 'node:os'
import { isAbsolute, join, resolve } from 'node:path'

// The user's own settings files, those of the config folder and of the data folder: they may set everything, and the last wins.
export function settingsFolder(
  environment: Readonly<Record<string, string | undefined>>,
  platform: NodeJS.Platform = process.platform,
): string[] {
  const name = 'longtake.config.json'
  return [join(configHome(environment, platform), name), join(dataHome(environment, platform), name)]
}

function configHome(environment: Readonly<Record<string, string | undefined>>, platform: NodeJS.Platform): string {
  const user = environment.HOME || environment.USERPROFILE || homedir()
  if (platform === 'win32') return join(environment.APPDATA || join(user, 'AppData', 'Roaming'), 'longtake')
  if (platform === 'darwin') return join(user, 'Library', 'Preferences', 'longtake')
  const config = environment.XDG_CONFIG_HOME
  return join(config && isAbsolute(config) ? config : join(user, '.config'), 'longtake')
}

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
