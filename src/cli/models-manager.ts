import type { ModelsManager } from '../app/models/models-manager.ts'
import type { Call } from './call.ts'

// The models that a call of "longtake models" is about.
export async function openManager(call: Call): Promise<ModelsManager> {
  const { openModelsManager } = await import('../app/models/models-manager.ts')
  return openModelsManager(call.arguments, {
    config: await call.settings(),
    home: await call.home(),
    environment: call.world.environment,
    signal: call.signal,
    say: line => call.remark(line),
  })
}
