import { resolve } from 'node:path'
import { z } from 'zod'
import { UsageError, unknownName } from '../../src/core/errors.ts'
import { isObject, sha256, stableJson } from '../../src/core/json.ts'
import { readTextFile } from '../../src/store/read-file.ts'
import type { Benchmark } from '../benchmarks/benchmark.ts'
import { impliedOptions } from '../protocols/show.ts'

type Described = Pick<Benchmark, 'name' | 'settings' | 'variants'>

// The benchmark's own settings, from "name=value" texts; values are JSON where they read as JSON, else text. "variant=NAME" stands
// for the options of a mode, and stays beside them as its name.
export function readOptions(benchmark: Described, given: readonly string[]): Record<string, unknown> {
  const { name, settings } = benchmark
  const variant = given.findLast(one => one.startsWith(prefix))
  if (variant === undefined) return parsed(benchmark, given)
  const called = readText(variant.slice(prefix.length))
  const { variants = {} } = benchmark
  const mode = Object.hasOwn(variants, called) ? variants[called] : undefined
  if (!mode) throw unknownName(`variant of ${name}`, called, Object.keys(variants))
  const other = given.filter(one => !one.startsWith(prefix))
  const schemaProperties = listProperties(settings)
  const impliedByMode = new Map(
    impliedOptions(mode.options, schemaProperties).map(one => assigned(one, schemaProperties)),
  )
  for (const typedOption of other) {
    const [option, value] = assigned(typedOption, schemaProperties)
    if (impliedByMode.has(option) && stableJson(value) !== stableJson(impliedByMode.get(option)))
      throw new UsageError(
        `--option ${typedOption} is not what the variant ${called} of ${name} sets: ${mode.options.join(', ')}.`,
        {
          hint: 'Leave out the option or the variant.',
        },
      )
  }
  const more = other.filter(one => !impliedByMode.has(assigned(one, schemaProperties)[0]))
  return { ...parsed(benchmark, [...mode.options, ...more]), variant: called }
}

const prefix = 'variant='

function parsed({ name, settings }: Described, given: readonly string[]): Record<string, unknown> {
  const settingProperties = listProperties(settings)
  const values = new Map<string, unknown>()
  for (const impliedOption of impliedOptions(given, settingProperties)) {
    const [option, value] = assigned(impliedOption, settingProperties)
    if (!Object.hasOwn(settingProperties, option))
      throw unknownName(`setting of ${name}`, option, Object.keys(settingProperties))
    if (isUsual(value, settingProperties[option])) values.delete(option)
    else values.set(option, value)
  }
  const read = settings.safeParse(Object.fromEntries(values))
  if (read.success) return read.data as Record<string, unknown>
  const [issue] = read.error.issues
  throw new UsageError(`--option ${issue?.path.join('.')}: ${issue?.message}.`, {
    hint: `See "longtake bench show ${name}".`,
  })
}

type SchemaProperties = Record<string, { default?: unknown } | undefined>

function listProperties(settings: z.ZodType): SchemaProperties {
  return (z.toJSONSchema(settings, { io: 'input' }) as { properties?: SchemaProperties }).properties ?? {}
}

function assigned(assignment: string, known: SchemaProperties): [option: string, value: unknown] {
  const at = assignment.indexOf('=')
  const option = assignment.slice(0, at).trim()
  if (at <= 0)
    throw new UsageError(`--option "${assignment}" sets nothing.`, { hint: 'Write it as --option name=value.' })
  return [option, readValue(assignment.slice(at + 1), known[option])]
}

// What leaving a setting out means too.
function isUsual(value: unknown, schema: unknown): boolean {
  return isObject(schema) && 'usual' in schema && schema.usual === value
}

// The settings that name a file: with a person's own wording, or with what the videos are.
const wordings = ['wording', 'judgePrompt', 'judgeSystem', 'prompt']
export const fileSettings = [...wordings, 'titles']

// "name=value" with the path of a file as it is from this folder on, so that a run goes on from any other.
export function withPath(assignment: string, folder: string): string {
  const at = assignment.indexOf('=')
  const [name, value] = [assignment.slice(0, at).trim(), assignment.slice(at + 1)]
  return fileSettings.includes(name) && value !== '' ? `${name}=${resolve(folder, value)}` : assignment
}

// The content of the wordings that settings name.
export async function wordingHashes(options: Record<string, unknown>): Promise<Record<string, string>> {
  const optionValues: Record<string, string> = {}
  for (const name of wordings) {
    const file = options[name]
    if (typeof file !== 'string') continue
    const text = await readTextFile(resolve(file))
    if (text === undefined)
      throw new UsageError(`--option ${name}: there is no file at ${file}.`, { hint: 'Name a file that is there.' })
    optionValues[name] = sha256(text)
  }
  return optionValues
}

// "off" is a word where the setting has words and no switch.
function readValue(text: string, schema: unknown): unknown {
  if ((text === 'on' || text === 'off') && JSON.stringify(schema)?.includes('"boolean"')) return text === 'on'
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}

// A run that goes on gives it back as JSON.
function readText(value: string): string {
  return value.startsWith('"') ? String(readValue(value, undefined)) : value
}
