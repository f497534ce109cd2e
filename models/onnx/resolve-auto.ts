import type { Host } from '../../src/core/backend.ts'
import { type HubModel, type HubSettings, missingModelFiles, type Precision } from '../hub/hub-model.ts'
import { expectedProvider, type OnnxSettings, type Provider } from './device.ts'

type AutoSettings = HubSettings & Omit<OnnxSettings, 'precision'>

interface Auto<Settings> {
  wanted(settings: Settings): HubModel
  onProcessor?: Partial<Settings> // which files suit it; without it, those of fp32
}

const halves: Provider[] = ['cuda', 'dml', 'webgpu'] // that gain from files of 16 bits

// The settings with what was left to us filled in for this machine: files of 16 bits for a card. Where only files of fp32
// are on disk they are taken, so that what was fetched and made before stays in use.
export async function resolveAuto<Settings extends AutoSettings>(
  settings: Settings,
  host: Pick<Host, 'environment'>,
  { wanted, onProcessor }: Auto<Settings>,
): Promise<Settings> {
  const provider = expectedProvider(settings.device)
  if (settings.precision !== 'auto') return settings
  const first: Partial<AutoSettings> = halves.includes(provider) ? { precision: 'fp16' } : (onProcessor ?? {})
  const plain = { ...settings, precision: 'fp32' as Precision }
  const suited = { ...plain, ...first }
  const lacks = async (choice: Settings) => (await missingModelFiles(wanted(choice), host)).length > 0
  return (await lacks(suited)) && (settings.folder || !(await lacks(plain))) ? plain : suited
}
