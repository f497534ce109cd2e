import { join } from 'node:path'
import { z } from 'zod'
import type { Tool } from '../../core/tool.ts'
import { ensureFolder, writeWhole } from '../durable.ts'
import { parseStoredJson, readTextFile } from '../read-file.ts'
import type { Redact } from '../redact.ts'
import { onDisk } from '../storage-error.ts'

// How the tools of MCP servers looked in a run, among its recorded calls: a replay asks no server for its list.
const Served = z.object({
  kind: z.literal('servers'),
  tools: z.array(
    z.object({
      name: z.string(),
      description: z.string(),
      schema: z.record(z.string(), z.unknown()),
      danger: z.literal('servers').optional(),
    }),
  ),
})

const file = 'servers.json'
const handedOn = z.looseObject({}) // made once: a stranger's record may name 100,000 tools

export async function keepServedTools(folder: string, tools: readonly Tool[], redact: Redact): Promise<void> {
  const toolCards = tools.map(({ name, description, input, danger }) => ({
    name,
    description,
    schema: input.meta(),
    danger,
  }))
  await onDisk(`record the tools of the servers in ${folder}`, async () => {
    await ensureFolder(folder)
    await writeWhole(
      join(folder, file),
      `${JSON.stringify(redact({ format: 1, kind: 'servers', tools: toolCards }), null, 1)}\n`,
    )
  })
}

// Undefined where the run recorded none.
export async function readServedTools(folder: string): Promise<Tool[] | undefined> {
  const served = Served.safeParse(parseStoredJson(await readTextFile(join(folder, file)))).data
  return served?.tools.map(({ schema, ...tool }) => ({
    ...tool,
    input: handedOn.meta(schema),
    varies: true,
    run: async () => {
      throw new Error(`The tool ${tool.name} of a replayed run was called itself.`)
    },
  }))
}
