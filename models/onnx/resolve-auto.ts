import type { Host } from '../../src/core/backend.ts'
import { type HubModel, type HubSettings, missingModelFiles, type Precision } from '../hub/hub-model.ts'
import { type Device, expectedProvider, type OnnxSettings, type Provider } from './device.ts'

interface Auto<Settings> {
  wanted(settings: Settings): HubModel
  onProcessor?: Partial<Settings>[] // what suits it, the best first; without it, files of fp32
}

type Machine = Pick<Host, 'environment'>

const halves: Provider[] = ['cuda', 'dml', 'webgpu'] // that gain from files of 16 bits

// The settings with the precision that was left to us filled in for this machine: files of 16 bits for a card.
export async function resolveAuto<Settings extends HubSettings & Omit<OnnxSettings, 'precision'>>(
  settings: Settings,
  host: Machine,
  { wanted, onProcessor = [] }: Auto<Settings>,
): Promise<Settings> {
  if (settings.precision !== 'auto') return settings
  const plain = { ...settings, precision: 'fp32' as Precision }
  const suited = gainsFromHalves(settings.device) ? [{ precision: 'fp16' as Precision }] : onProcessor
  return firstOnDisk([...suited.map(choice => ({ ...plain, ...choice })), plain], wanted, host)
}

export function gainsFromHalves(device: Device): boolean {
  return halves.includes(expectedProvider(device))
}

// The first choice whose files are all here, so that what was fetched and made before stays in use; the first of all if none is.
export async function firstOnDisk<Settings>(
  choices: readonly Settings[],
  wanted: (settings: Settings) => HubModel,
  host: Machine,
): Promise<Settings> {
  for (const choice of choices) if ((await missingModelFiles(wanted(choice), host)).length === 0) return choice
  return choices[0]!
}
