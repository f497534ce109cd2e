import { stat } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { extname, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { z } from 'zod'
import { absentAs, BackendError, errorText, UsageError } from '../../core/errors.ts'
import { Track } from '../../core/evidence.ts'
import { type Tool, toolKinds } from '../../core/tool.ts'

// What a tool's file gets when it exports a function instead of a tool: all that it needs of us, so that it can lie
// anywhere and import nothing.
const toolKit = { z, UsageError, BackendError }

const ToolShape = z.looseObject({
  name: z.string().regex(/^[a-z][a-z0-9_]{1,63}$/, 'must be small letters, digits and "_", beginning with a letter'),
  description: z.string().min(20, 'must say in at least 20 characters when to use the tool').max(2000),
  input: z.custom<object>(
    value => typeof value === 'object' && value !== null,
    'must be a zod schema or a JSON schema',
  ),
  kind: z.enum(toolKinds, `must be one of: ${toolKinds.join(', ')}`).optional(),
  makes: z.array(Track).optional(),
  danger: z.enum(['network', 'code', 'servers']).optional(),
  run: z.custom<Tool['run']>(value => typeof value === 'function', 'must be a function'),
})

// Loads a tool of the user: a file whose default export is a tool, or a function that makes one from our kit.
export async function loadTool(path: string, cwd: string): Promise<Tool> {
  const file = resolve(cwd, path)
  const stats = await stat(file).catch(absentAs(undefined))
  if (!stats?.isFile())
    throw new UsageError(`There is no tool file ${path}.`, { hint: 'Name a .ts, .js or .mjs file with --tool.' })
  const exported = readDefault(await importFile(file))
  if (exported === undefined)
    throw new UsageError(`${path} has no default export.`, {
      hint: 'Write: export default { name, description, input, run }.',
    })
  return asTool(path, typeof exported === 'function' ? await exported(toolKit) : exported)
}

function asTool(path: string, exported: unknown): Tool {
  const parsed = ToolShape.safeParse(exported)
  if (!parsed.success) {
    const { path: place = [], message = 'is not valid' } = parsed.error.issues[0] ?? {}
    throw new UsageError(`${path} is not a tool: ${place.join('.') || 'its default export'}: ${message}.`, {
      hint: 'See "Add a tool" in CONTRIBUTING.md; "longtake config tool check FILE" lists every problem.',
    })
  }
  const { input, ...tool } = parsed.data
  const original = exported as Tool
  return { ...tool, input: readSchema(path, input), run: (given, context) => original.run(given, context) }
}

// A zod schema, ours or of another copy of zod 4; or a plain JSON schema.
function readSchema(path: string, input: object): Tool['input'] {
  if ('_zod' in input && 'safeParse' in input) return input as Tool['input']
  if ('_def' in input)
    throw new UsageError(`${path}: input is a schema of an older version of zod.`, {
      hint: 'Use zod 4, or a JSON schema.',
    })
  try {
    return z.fromJSONSchema(input as Parameters<typeof z.fromJSONSchema>[0])
  } catch (error) {
    throw new UsageError(`${path}: input is neither a zod schema nor a JSON schema: ${errorText(error)}.`)
  }
}

function readDefault(loaded: unknown): unknown {
  const exported = (loaded as { default?: unknown }).default
  // A file that was compiled to CommonJS keeps its default one level deeper.
  return exported && typeof exported === 'object' && 'default' in exported ? exported.default : exported
}

// Set only by bin/longtake.mjs: it changes Node's resolver, so that a file finds zod and longtake where neither is installed.
const { [Symbol.for('longtake.lendPackages')]: lendPackages } = globalThis as { [name: symbol]: () => Promise<void> }

async function importFile(file: string): Promise<unknown> {
  const url = pathToFileURL(file).href
  await lendPackages?.()
  try {
    return await import(url)
  } catch (error) {
    if (!isUnknownExtension(error) || !['.ts', '.mts'].includes(extname(file))) throw cannotLoad(file, error)
  }
  const tsx = findTsx(file)
  if (!tsx)
    throw new UsageError(`Node ${process.versions.node} cannot run TypeScript without tsx, which ${file} needs.`, {
      hint: 'Use Node 22.18 or newer, or "npm install tsx" beside the file, or write the tool as .mjs.',
    })
  try {
    const { tsImport } = (await import(tsx)) as { tsImport(file: string, options: object): Promise<unknown> }
    // No tsconfig.json: the one of the working folder could put other files in the place of what the tool imports.
    return await tsImport(url, { parentURL: import.meta.url, tsconfig: false })
  } catch (error) {
    throw cannotLoad(file, error)
  }
}

function isUnknownExtension(error: unknown): boolean {
  return (error as NodeJS.ErrnoException).code === 'ERR_UNKNOWN_FILE_EXTENSION'
}

// The tsx that runs TypeScript where Node itself does not: the one beside the tool, else ours.
function findTsx(file: string): string | undefined {
  for (const from of [file, import.meta.url]) {
    try {
      return pathToFileURL(
        createRequire(from)
          .resolve('tsx/esm/api')
          .replace(/\.cjs$/, '.mjs'),
      ).href
    } catch {
      // not installed there
    }
  }
}

function cannotLoad(file: string, error: unknown): UsageError {
  return new UsageError(`${file} cannot be loaded: ${errorText(error)}`, { cause: error })
}
