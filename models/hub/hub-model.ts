import { readFile, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { z } from 'zod'
import type { Host, ModelNeed } from '../../src/core/backend.ts'
import { errorText, UsageError } from '../../src/core/errors.ts'
import { shallowJson } from '../../src/core/json.ts'
import { checkHubFile, checkRepository, checkRevision } from '../../src/core/model-names.ts'
import { filesIn, type ModelPlace, missingFiles, modelFolder } from './model-folder.ts'

// The number format of the model file. Smaller loads faster and is slightly less exact.
export const Precision = z.enum(['fp32', 'fp16', 'q8', 'q4', 'q4f16'])
export type Precision = z.infer<typeof Precision>

// Left to us unless it is set; a backend resolves it before it opens.
const AutoPrecision = z.enum(['auto', ...Precision.options])
type AutoPrecision = z.infer<typeof AutoPrecision>

const endings: Record<AutoPrecision, string> = {
  auto: '',
  fp32: '',
  fp16: '_fp16',
  q8: '_quantized',
  q4: '_q4',
  q4f16: '_q4f16',
}

// Settings shared by all models from the hub: spread them into a schema and add `model` with its default.
export const hubSettings = {
  revision: z.string().min(1).default('main').describe('branch, tag or commit of the model on the hub'),
  folder: z.string().min(1).optional().describe('a folder of your own with the files of the model, instead of the hub'),
  precision: AutoPrecision.default('auto').describe(
    'which of its files: fp16 and q4f16 for graphics cards, q8 and q4 for processors; auto: fp16 on a card where the model has it, else fp32',
  ),
}

export type HubSettings = z.infer<z.ZodObject<typeof hubSettings>> & { model: string }

// The setting of the model itself: one of the short names, or a repository.
export function modelSetting(names: object, byDefault: string) {
  return z
    .string()
    .min(1)
    .default(byDefault)
    .describe(`${Object.keys(names).join(', ')}, or a repository of the hub`)
}

// A model with the files that a backend reads.
export interface HubModel extends ModelPlace {
  files: string[]
  optional?: string[] // files that it reads where the model has them
}

// `names` maps short names to repositories; a name with a slash is a repository. `parts` become ONNX files of the
// chosen precision.
export function hubModel(
  settings: HubSettings,
  names: Readonly<Record<string, string>>,
  wanted: { files: string[]; parts: string[]; optional?: string[] },
): HubModel {
  const { model, revision, folder, precision } = settings
  const repository = (Object.hasOwn(names, model) && names[model]) || model
  if (!folder && !repository.includes('/'))
    throw new UsageError(`Unknown model "${model}".`, {
      hint: `Choose one of: ${Object.keys(names).join(', ')}, or a repository of the hub as "organisation/name".`,
    })
  return {
    repository: folder ? repository : checkRepository(repository),
    revision: folder ? revision : checkRevision(revision),
    folder,
    files: [...wanted.files, ...wanted.parts.map(part => onnxFile(part, precision))],
    optional: wanted.optional,
  }
}

export function onnxFile(part: string, precision: AutoPrecision): string {
  return `onnx/${part}${endings[precision]}.onnx`
}

// The files that must be on disk before the backend opens.
export function modelNeeds(model: HubModel): ModelNeed[] {
  const { repository, revision, folder, files, optional } = model
  return [
    {
      name: folder ? `the model files in ${folder}` : `the model ${repository}`,
      met: async host => (await missingModelFiles(model, host)).length === 0,
      mend: fixFor(model),
      ...(folder ? {} : { model: { repository, revision, files, optional } }),
    },
  ]
}

// A profile or a backend that only the command line names is not known to the next command.
const pullFix = 'Run "longtake models pull" with the same --profile and --set.'

function fixFor({ folder, files }: HubModel): string {
  return folder ? `Put these into the folder: ${files.join(', ')}.` : pullFix
}

// Opens the folder of a model whose files are complete.
export async function openModelFolder(model: HubModel, host: Host): Promise<ModelFolder> {
  const folder = await modelFolder(model, host)
  const missing = await missingModelFiles(model, host)
  if (folder && missing.length === 0) return new ModelFolder(folder)
  const there = folder ? (await filesIn(folder)).filter(file => file.endsWith('.onnx')) : []
  throw new UsageError(
    `The model ${model.folder ?? model.repository} lacks ${missing.join(', ')}${there.length > 0 ? ` (it has ${there.join(', ')})` : ''}.`,
    { hint: fixFor(model) },
  )
}

const maxJson = 64 * 1024 * 1024 // bytes

export class ModelFolder {
  readonly path: string
  constructor(path: string) {
    this.path = path
  }

  file(name: string): string {
    return join(this.path, checkHubFile(name))
  }

  async json<Value>(name: string, shape: z.ZodType<Value>): Promise<Value> {
    try {
      const { size } = await stat(this.file(name))
      if (size > maxJson) throw new Error(`it has ${size} bytes, and at most ${maxJson} are read`)
      return shape.parse(shallowJson(await readFile(this.file(name), 'utf8')))
    } catch (cause) {
      throw this.unreadable(name, cause)
    }
  }

  unreadable(name: string, cause: unknown): UsageError {
    return new UsageError(`${this.file(name)} cannot be read: ${whyNot(cause)}`, {
      hint: 'The model is of another kind than this backend knows, or the file is damaged.',
      cause,
    })
  }
}

export async function missingModelFiles(model: HubModel, host: Pick<Host, 'environment'>): Promise<string[]> {
  const folder = await modelFolder(model, host)
  return folder ? missingFiles(folder, model.files) : model.files
}

function whyNot(cause: unknown): string {
  if (cause instanceof RangeError) return 'it is nested too deep.'
  if (!(cause instanceof z.ZodError)) return errorText(cause)
  return cause.issues.map(issue => `${issue.path.join('.')}: ${issue.message}`).join('; ')
}
