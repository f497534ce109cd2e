import { readdir, stat } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import type { Closable, Host } from '../../../src/core/backend.ts'
import { gigabytes } from '../../../src/core/basics/numbers.ts'
import { absentAs, errorText } from '../../../src/core/errors.ts'
import { runProgram } from '../../../src/media/program/run-program.ts'
import { whyNoCuda } from '../cuda-libraries.ts'
import type { Device, Provider } from '../device.ts'
import type { Opened } from '../messages.ts'
import { isOutOfMemory } from '../out-of-memory.ts'

// A model that is on the card.
interface LoadedModel {
  name: string
  owner: string | undefined // the backend that opened it, "embedImage/siglip"
  megabytes: number // measured at its first run; until then its files times the growth that others showed
  since: Date
}

// What whoever holds an open model says of it.
interface Occupant {
  isIdle(): boolean
  close(): Promise<void>
}

// A model's place on the card, which goes when the model is closed.
interface CardPlace extends LoadedModel {
  setOccupant(tenant: Occupant): void // from now on it can be asked to leave
  measure(): Promise<void> // after its first run
}

export interface OpenModel extends Closable {
  provider: Provider // the one that really runs
  refused?: Opened['refused']
  place?: CardPlace // where it is on the card
  ended?(): boolean
}

export interface ModelRequest {
  name: string
  files: readonly string[]
  device: Device
  host: Host
}

// Another program that holds memory of the card; gives back what it can and says what, or undefined.
export type MemoryReclaimer = (host: Host) => Promise<string | undefined>

interface Entry extends CardPlace {
  files: number // MB
  measured: boolean
  sits?: Occupant
}

const usualGrowth = 1.5 // of its files, until one was measured: no figure of a card of ours
const maxGrowth = 6
const tellingFiles = 100 // MB from which a model says something of the growth of others

// The one owner of the card's memory in this process: what is loaded, how large, since when, and who must leave when room lacks.
export class GpuMemory {
  readonly #free: (host: Host) => Promise<number | undefined>
  readonly #isThere: () => boolean
  readonly #provider: Provider
  readonly #loaded = new Set<Entry>()
  readonly #reclaimers = new Set<MemoryReclaimer>()
  #growth = usualGrowth
  #changes = 0 // of what is loaded
  #turn: Promise<unknown> = Promise.resolve()

  constructor(free = freeMegabytes, isThere = () => whyNoCuda() === undefined, provider: Provider = 'cuda') {
    this.#free = free
    this.#isThere = isThere
    this.#provider = provider
  }

  get loaded(): readonly LoadedModel[] {
    return [...this.#loaded]
  }

  // Opens a model where there is room for it: on the card, if need be after idle ones have left it, else on the next device. Openings
  // wait for each other, so that no two of them count the same free memory.
  open<Model extends OpenModel>(wanted: ModelRequest, open: (device: Device) => Promise<Model>): Promise<Model> {
    const { device } = wanted
    if ((device !== 'auto' && device !== 'cuda') || !this.#isThere()) return open(device)
    const opening = this.#turn.then(() => this.#openInTurn(wanted, open))
    this.#turn = opening.catch(() => {})
    return opening
  }

  // Free memory, less what models will still grow by at their first run; undefined if nobody knows.
  async room(host: Host): Promise<number | undefined> {
    const free = await this.#free(host)
    if (free === undefined) return undefined
    const toCome = [...this.#loaded].filter(({ measured }) => !measured)
    return toCome.reduce((room, { megabytes, files }) => room - (megabytes - files), free)
  }

  // Closes idle models, the oldest first, then asks other programs, until it is enough. True where something was given back.
  async makeRoom(host: Host, isEnough: () => Promise<boolean> = async () => false): Promise<boolean> {
    let gave = false
    for (const entry of this.#loaded) {
      if (!entry.sits?.isIdle()) continue
      await entry.sits.close()
      host.say(`${entry.name} is idle and was unloaded from the GPU (${gigabytes(entry.megabytes)}).`)
      gave = true
      if (await isEnough()) return true
    }
    for (const reclaim of this.#reclaimers) {
      const freed = await reclaim(host)
      if (freed === undefined) continue
      host.say(freed)
      gave = true
      if (await isEnough()) return true
    }
    return gave
  }

  // Closes the idle models of these backends: at the end of their stage, and before the first question.
  async release(owners: readonly string[]): Promise<void> {
    for (const { owner, sits: occupant } of [...this.#loaded])
      if (owner !== undefined && owners.includes(owner) && occupant?.isIdle()) await occupant.close()
  }

  // Until the returned function is called.
  addReclaimer(reclaim: MemoryReclaimer): () => void {
    this.#reclaimers.add(reclaim)
    return () => void this.#reclaimers.delete(reclaim)
  }

  async #openInTurn<Model extends OpenModel>(
    { name, files, device, host }: ModelRequest,
    open: (device: Device) => Promise<Model>,
  ): Promise<Model> {
    const size = await sumMegabytes(files)
    const needs = size * this.#growth
    let room = await this.room(host)
    const fits = async () => {
      room = await this.room(host)
      return room === undefined || room >= needs
    }
    if (room !== undefined && room < needs) await this.makeRoom(host, fits)
    if (room !== undefined && room < needs && device === 'auto') {
      host.say(
        `${name} needs about ${gigabytes(needs)} of the card, where ${gigabytes(Math.max(0, room))} are free: it runs on the processor.`,
      )
      return open('cpu')
    }
    const before = [...this.#loaded].every(({ measured }) => measured) ? room : undefined
    const model = await this.#openOrMakeRoom(device, host, open)
    return model.provider === this.#provider
      ? this.#keep(model, { name, owner: host.owner, files: size, megabytes: needs, before, host })
      : model
  }

  // One refused for want of memory is opened once more where something could be closed for it.
  async #openOrMakeRoom<Model extends OpenModel>(
    device: Device,
    host: Host,
    open: (device: Device) => Promise<Model>,
  ): Promise<Model> {
    const first = await open(device).catch(async error => {
      if (!isOutOfMemory(error) || !(await this.makeRoom(host))) throw error
      return open(device)
    })
    const refused = first.refused?.some(({ provider, reason }) => provider === this.#provider && isOutOfMemory(reason))
    if (!refused || !(await this.makeRoom(host))) return first
    await first.close?.()
    return open(device)
  }

  #keep<Model extends OpenModel>(
    model: Model,
    { before, host, ...about }: Omit<LoadedModel, 'since'> & { files: number; before: number | undefined; host: Host },
  ): Model {
    const opened = ++this.#changes
    const newEntry: Entry = {
      ...about,
      since: new Date(),
      measured: false,
      setOccupant: sits => {
        newEntry.sits = sits
      },
      measure: async () => {
        if (newEntry.measured) return
        newEntry.measured = true
        const after = before === undefined ? undefined : await this.#free(host)
        if (before === undefined || after === undefined || opened !== this.#changes || before <= after) return
        newEntry.megabytes = before - after
        if (newEntry.files >= tellingFiles)
          this.#growth = Math.min(maxGrowth, Math.max(this.#growth, newEntry.megabytes / newEntry.files))
      },
    }
    this.#loaded.add(newEntry)
    return {
      ...model,
      place: newEntry,
      close: async () => {
        if (this.#loaded.delete(newEntry)) this.#changes++
        await model.close?.()
      },
    }
  }
}

let owner = new GpuMemory()

// The card is the machine's, so there is one owner in a process.
export function card(): GpuMemory {
  return owner
}

// Returns the one before.
export function setGpuMemory(next: GpuMemory): GpuMemory {
  const before = owner
  owner = next
  return before
}

// With what lies beside them: model.onnx, model.onnx_data, model.onnx_data_1.
async function sumMegabytes(files: readonly string[]): Promise<number> {
  let bytes = 0
  for (const file of files) {
    const folder = dirname(file)
    const parts = (await readdir(folder).catch(absentAs<string[]>([]))).filter(name => name.startsWith(basename(file)))
    for (const path of parts) bytes += (await stat(join(folder, path))).size
  }
  return bytes / 1e6
}

const warned = new WeakSet<Host['environment']>()

// Free memory of the card that CUDA takes first, MB; undefined if the driver does not tell, which is said once.
async function freeMegabytes({ environment, signal, say }: Host): Promise<number | undefined> {
  const [card] = (environment.CUDA_VISIBLE_DEVICES ?? '').split(',')
  const query = ['--query-gpu=memory.free', '--format=csv,noheader,nounits']
  try {
    const { stdout } = await runProgram('nvidia-smi', card ? ['-i', card, ...query] : query, {
      timeoutSeconds: 20,
      signal,
    })
    const mebibytes = Number.parseInt(stdout.toString(), 10)
    if (!Number.isFinite(mebibytes)) throw new Error(`nvidia-smi answered "${stdout.toString().trim().slice(0, 80)}"`)
    return mebibytes * 1.048576
  } catch (error) {
    signal.throwIfAborted()
    if (!warned.has(environment))
      say(`The free memory of the card is not known (${errorText(error)}): models are opened until it has none left.`)
    warned.add(environment)
    return undefined
  }
}
