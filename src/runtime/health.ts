import type { LinkedSignal } from '../core/basics/signals.ts'
import type { LongtakeError } from '../core/errors.ts'
import type { DoctorReport } from '../core/runtime.ts'
import type { Models } from './models/models.ts'

type Examination = Parameters<typeof import('./models/doctor.ts').examine>[0]

interface Resources {
  models: Models
  closing: LinkedSignal
  memory: { close(): void }
  stopReclaiming(): void
}

// Whether the runtime can answer, and what it holds of the machine.
export class RuntimeHealth {
  readonly #fault?: LongtakeError
  readonly #resources: Resources

  constructor(fault: LongtakeError | undefined, resources: Resources) {
    this.#fault = fault
    this.#resources = resources
  }

  // A chosen model or server that cannot be used stops every question.
  assertModelsReady(): void {
    if (this.#fault) throw this.#fault
  }

  async examine(examination: Omit<Examination, 'fault'>): Promise<DoctorReport> {
    const { examine } = await import('./models/doctor.ts')
    return examine({ ...examination, fault: this.#fault })
  }

  async close(): Promise<void> {
    const { models, closing, memory, stopReclaiming } = this.#resources
    closing.abort()
    closing.clear()
    memory.close()
    stopReclaiming()
    await models.close()
  }
}
