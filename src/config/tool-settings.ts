import { z } from 'zod'

// Longest time that a host of tool servers waits by common use; an answer that takes longer is lost anyway.
const maxAnswer = 59 // seconds

const patience = {
  safe: z.boolean().default(false).describe('its tools do nothing but read, and run without the permission "servers"'),
  seconds: z.number().positive().max(maxAnswer).default(30).describe('longest time of one call'),
  startSeconds: z.number().positive().max(maxAnswer).default(15).describe('longest time until it lists its tools'),
}

const StdioServer = z.strictObject({
  command: z.string().min(1).describe('the program to start'),
  args: z.array(z.string()).default([]),
  folder: z
    .string()
    .optional()
    .describe('where it starts; left out: the folder of the settings file that names the program'),
  variables: z.array(z.string()).default([]).describe('names of environment variables that it may see'),
  ...patience,
})

const HttpServer = z.strictObject({
  url: z.url({ protocol: /^https?$/ }).describe('its Streamable HTTP endpoint, as http://127.0.0.1:3000/mcp'),
  keyVariable: z.string().optional().describe('the environment variable whose value is sent as a bearer token'),
  ...patience,
})

const Web = z.strictObject({
  provider: z.string().default('off').describe('which service searches the web: searxng or brave; "off" for none'),
  url: z
    .url({ protocol: /^https?$/ })
    .optional()
    .describe('the address of the provider, if it has no fixed one; it may lie in a private network'),
  keyVariable: z.string().optional().describe('the environment variable that holds its key'),
  seconds: z.number().positive().max(maxAnswer).default(15).describe('longest time of one search'),
})
export type WebSettings = z.infer<typeof Web>

const Code = z.strictObject({
  seconds: z.number().positive().max(maxAnswer).default(5).describe('longest time of one program'),
  megabytes: z.number().int().min(8).max(512).default(64).describe('memory of one program'),
  outputCharacters: z.number().int().min(100).max(1_000_000).default(20_000).describe('what is kept of its output'),
})

const Look = z.strictObject({
  frames: z
    .union([z.literal('auto'), z.number().int().min(1).max(64)])
    .default('auto')
    .describe('of a look whose call names no number; auto: one or two a second, eight in a span under 3 s, 64 at most'),
})

// What the agent may use besides the built-in tools, and which of these it is shown.
export const ToolSettings = z.strictObject({
  sets: z
    .enum(['core', 'longshot', 'all'])
    .default('core')
    .describe("core: longtake's own; longshot: the sixteen of LongShOTBench; all: both"),
  files: z.array(z.string()).default([]).describe('tools of your own, one file each, as --tool gives them'),
  servers: z
    .record(z.string().regex(/^[a-z][a-z0-9-]{0,23}$/), z.union([StdioServer, HttpServer]))
    .default({})
    .describe('MCP servers by a name of yours; their tools are called NAME_TOOL'),
  focus: z
    .boolean()
    .default(true)
    .describe('a planner that is a language model may send a helper to a span with a question (core and all)'),
  web: Web.prefault({}).describe('who answers web_search'),
  code: Code.prefault({}).describe('the limits of execute_code'),
  look: Look.prefault({}).describe('what a look shows to the model that sees'),
})
export type ToolSettings = z.infer<typeof ToolSettings>
