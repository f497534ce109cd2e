import type { Host } from '../../src/core/backend.ts'
import { type HubModel, type HubSettings, missingModelFiles, type Precision } from '../hub/hub-model.ts'
import { type Device, expectedProvider, type OnnxSettings, type Provider } from './device.ts'

interface Auto<Settings> {
  wanted(settings: Settings): HubModel
  onProcessor?: Partial<Settings> // which files suit it; without it, those of fp32
}

type Machine = Pick<Host, 'environment'>

const halves: Provider[] = ['cuda', 'dml', 'webgpu'] // that gain from files of 16 bits

// The settings with the precision that was left to us filled in for this machine: files of 16 bits for a card.
export async function resolveAuto<Settings extends HubSettings & Omit<OnnxSettings, 'precision'>>(
  settings: Settings,
  host: Machine,
  { wanted, onProcessor }: Auto<Settings>,
): Promise<Settings> {
  if (settings.precision !== 'auto') return settings
  const plain = { ...settings, precision: 'fp32' as Precision }
  const suited = { ...plain, ...(gainsFromHalves(settings.device) ? { precision: 'fp16' as Precision } : onProcessor) }
  return suitedOrPlain(suited, plain, wanted, host)
}

export function gainsFromHalves(device: Device): boolean {
  return halves.includes(expectedProvider(device))
}

// Where only the plain files are on disk they are taken, so that what was fetched and made before stays in use. Of a folder of the
// user's nothing else can be fetched.
export async function suitedOrPlain<Settings extends { folder?: string }>(
  suited: Settings,
  plain: Settings,
  wanted: (settings: Settings) => HubModel,
  host: Machine,
): Promise<Settings> {
  const lacks = async (choice: Settings) => (await missingModelFiles(wanted(choice), host)).length > 0
  return (await lacks(suited)) && (suited.folder || !(await lacks(plain))) ? plain : suited
}
