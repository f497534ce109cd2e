import { roles } from '../../app/models/families.ts'
import { roleNames } from '../../config/profiles.ts'
import { type Backend, backendSettings, type Family } from '../../core/backend.ts'
import type { Role } from '../../core/services.ts'
import { fileName } from '../sanitise.ts'
import type { CommandRun } from '../table-types.ts'
import { result } from '../watching.ts'

// Checks names, kinds and ranges, and hands each backend its own settings to check. Opens nothing.
const validate: CommandRun = async call => {
  const config = await call.settings(call.arguments[0] ?? call.text('--config'))
  for (const role of roleNames) await checkRole(role, config.settings.models[role])
  const from = config.file
    ? `${fileName(config.file)} and the other settings are`
    : 'No settings file was found; the settings are'
  result(
    call,
    () => ({ valid: true, file: config.file }),
    () => [`${from} right.`],
  )
  return 0
}
export default validate

async function checkRole(role: Role, { backend: name, ...settings }: { backend: string }): Promise<void> {
  if (name === 'off') return
  const family = (await roles[role]()) as Family<unknown>
  backendSettings(role, name, (await family.load(name)) as Backend<unknown>, settings)
}
