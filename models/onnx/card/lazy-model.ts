import type { Closable } from '../../../src/core/backend.ts'
import { closeWhenIdle } from '../close-when-idle.ts'
import type { Device, Provider } from '../device.ts'
import { isOutOfMemory } from '../out-of-memory.ts'
import { card, type ModelRequest, type OpenModel } from './card.ts'

// What a model can do about memory besides working in smaller batches.
export interface Relief {
  provider(): Provider | undefined // of what is open
  room(): Promise<number | undefined> // free memory of the card, MB
  toProcessor(): Promise<boolean> // for good; false where it was not on a card or must stay there
}

export interface LazyModel<Model> extends Relief, Closable {
  use<Result>(work: (model: Model) => Promise<Result>): Promise<Result>
  close(): Promise<void>
}

// A model that is opened when it is first asked, if there is room, and closed while nobody asks for long. One whose run does
// not fit on the card is run again after idle ones have left it.
export function lazyModel<Model extends OpenModel>(
  wanted: ModelRequest,
  open: (device: Device) => Promise<Model>,
  idleSeconds?: number,
): LazyModel<Model> {
  const { name, host } = wanted
  const owner = card()
  let now = onDevice(wanted.device)

  function onDevice(device: Device) {
    let users = 0
    let provider: Provider | undefined
    let onLeave: (() => void) | undefined
    const shared = closeWhenIdle(async () => {
      const model = await owner.open({ ...wanted, device }, open)
      provider = model.provider
      model.place?.setOccupant({ isIdle: () => users === 0, close: shared.close })
      return model
    }, idleSeconds)
    return {
      device,
      provider: () => provider,
      close: shared.close,
      async use<Result>(work: (model: Model) => Promise<Result>): Promise<Result> {
        users++
        try {
          return await shared.use(async model => {
            const result = await work(model).catch(async error => {
              if (!model.place || !isOutOfMemory(error) || !(await owner.makeRoom(host))) throw error
              return work(model)
            })
            await model.place?.measure()
            return result
          })
        } finally {
          users--
          if (users === 0) onLeave?.()
        }
      },
      async closeWhenFree(): Promise<void> {
        if (users > 0)
          await new Promise<void>(resolve => {
            onLeave = resolve
          })
        await shared.close()
      },
    }
  }

  return {
    use: work => now.use(work),
    close: () => now.close(),
    provider: () => now.provider(),
    room: () => owner.room(host),
    async toProcessor() {
      if (now.device !== wanted.device) return true // with another run that did not fit
      if (now.device !== 'auto' || (now.provider() ?? 'cpu') === 'cpu') return false
      const before = now
      now = onDevice('cpu')
      host.say(`${name} does not fit in GPU memory; falling back to the CPU.`)
      await before.closeWhenFree()
      return true
    },
  }
}
