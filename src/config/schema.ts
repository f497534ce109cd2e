import { z } from 'zod'
import { Budget } from '../core/agent.ts'
import { megabytesIn } from '../core/machine/memory.ts'
import type { Role } from '../core/services.ts'
import {
  AnswerSettings,
  type FoundMay,
  IndexSettings,
  PolicySettings,
  SeekSettings,
  taste,
  WindowSettings,
} from '../core/settings.ts'
import { ClusterSettings } from './cluster-settings.ts'
import { effortNames } from './efforts.ts'
import { usualFamilies } from './families.ts'
import { aboutRole, neverOff, profileNames, profiles, roleNames } from './profiles.ts'
import { ToolSettings } from './tool-settings.ts'

const Model = z.looseObject({
  backend: z.string().min(1).describe('a chat backend by name, together with its settings'),
})

// Who fills the roles of "bench make". Each call may cost money, so that a settings file that was only found may set none of them.
const MakerRoles = z.strictObject({
  author: Model.optional().describe(
    'writes the questions: a chat backend and its settings; left out, the rules of the recipe',
  ),
  look: Model.optional().describe('sees frames; left out, models.vision'),
  listen: Model.optional().describe('hears the sound of each stretch (longshot)'),
  blind: z.array(Model).max(3).default([]).describe('one to three chat backends that must fail without the video'),
  glance: Model.optional().describe('a small model that sees a frame or a few, and must fail'),
  check: Model.optional().describe('says whether rows hold what an item says'),
  judge: Model.optional().describe('judges the open answers of the filters'),
})

function role(name: Role) {
  const foundMark: FoundMay = { 'x-found': 'self-contained' }
  const backend = z.string().min(1).default(profiles.embedded[name].backend).describe(aboutRole(name)).meta(foundMark)
  return z
    .looseObject({
      backend: neverOff.includes(name) ? backend.refine(chosen => chosen !== 'off', 'cannot be off') : backend,
    })
    .prefault({})
    .describe(
      `${aboutRole(name)}: a backend by name${neverOff.includes(name) ? '' : ' ("off" for none)'} and its settings`,
    )
}

const Models = z.strictObject(
  Object.fromEntries(roleNames.map(name => [name, role(name)])) as Record<Role, ReturnType<typeof role>>,
)

const Permissions = z.strictObject({
  network: z.boolean().default(false).describe('tools may ask the internet'),
  code: z.boolean().default(false).describe('tools may run code, in a sandbox'),
  servers: z.boolean().default(false).describe('tools of MCP servers may be called'),
})

const Judging = z.strictObject({
  families: z
    .record(z.string(), z.array(z.string()))
    .default(usualFamilies)
    .describe('makers of models by parts of their names: whether a judge favours runs of its own maker')
    .meta(taste),
})

const Output = z.strictObject({
  progress: z
    .enum(['auto', 'lines', 'off'])
    .default('auto')
    .describe('auto: live on a terminal, else lines')
    .meta(taste),
})

const Fetch = z.strictObject({
  height: z.number().int().min(144).max(8640).default(1080).describe('the largest picture that is fetched, in lines'),
  arguments: z
    .array(z.string())
    .default([])
    .describe(
      'more arguments for yt-dlp, as ["--cookies-from-browser", "firefox"]; its own settings files are not read',
    ),
})

const Serve = z.strictObject({
  port: z.number().int().min(0).max(65_535).default(4747).describe('where longtake serve listens; 0: any free port'),
  keyVariable: z
    .string()
    .regex(/^[A-Za-z_]\w*$/)
    .optional()
    .describe(
      'the environment variable with the key that programs send; without it only the token of the server counts',
    ),
  profiles: z
    .array(z.enum(['auto', ...profileNames]))
    .optional()
    .describe(
      'the profiles that may be chosen on the page beside that of the start; without it those whose models run on this machine, and none if keyVariable is set',
    ),
  asks: z.number().int().min(1).max(64).default(2).describe('questions that are answered at the same time'),
  uploadGigabytes: z.number().positive().max(10_000).default(20).describe('the largest file that may be sent, in GB'),
  playback: z
    .strictObject({
      height: z.number().int().min(144).max(4320).default(720).describe('of the picture, in lines, at most'),
      gigabytes: z.number().min(0).max(10_000).default(2).describe('what is kept of such pieces on disk, in GB'),
    })
    .prefault({})
    .describe('videos that a browser cannot play are turned into pieces that it can'),
})

const Watch = z.strictObject({
  every: z
    .number()
    .positive()
    .max(3600)
    .default(2)
    .describe('seconds between two looks at the folders; more if they are large'),
  still: z
    .number()
    .min(0)
    .max(3600)
    .default(5)
    .describe('seconds that size and times of a file must stay as they are before it is indexed'),
})

const Limits = z.strictObject({
  memory: z
    .string()
    .default('auto')
    .refine(text => text === 'auto' || megabytesIn(text) !== undefined, 'must be "auto" or a size, as 500MB or 2GiB')
    .describe(
      'resident memory that longtake and the programs it starts may take together, as 500MB or 2GB; auto: what a container allows',
    ),
})

const Server = z.strictObject({
  url: z
    .url({ protocol: /^https?$/ })
    .optional()
    .describe('base URL; without a path, /v1 is added'),
  model: z.string().min(1).optional().describe('of the chat roles; left out, the list of the server decides'),
  apiKeyEnv: z.string().min(1).optional().describe('environment variable that holds the key'),
})

const Price = z.strictObject({ input: z.number().min(0), output: z.number().min(0) })

// Everything that can be set, with its default. Each layer may set any part of it.
export const Config = z.strictObject({
  profile: z
    .enum(['auto', ...profileNames])
    .default('auto')
    .describe('auto: the best one that is ready here')
    .meta({ 'x-found': ['embedded'] } satisfies FoundMay),
  model: z
    .string()
    .min(1)
    .optional()
    .describe(
      'the model of every chat role that it can fill, as ollama/qwen3-vl:8b, openai/NAME, vllm or http://127.0.0.1:8000/v1; "off": as the profile and "models" say',
    ),
  server: Server.optional().describe(
    'an OpenAI-compatible server for every role whose backend asks one and that names no url itself',
  ),
  models: Models.prefault({}).describe('which backend fills which role, over what the profile says'),
  index: IndexSettings.prefault({}).describe('how a video is indexed'),
  effort: z
    .enum(effortNames)
    .default('medium')
    .describe(
      'low: few rounds and frames, no check; medium: the defaults; high: captions and a written overview too, 512 frames, 400,000 tokens; max: also every frame of the index, votes, 1,024 frames, 1,000,000 tokens',
    ),
  budget: z.strictObject(Budget.shape).prefault({}).describe('what one question may cost'),
  prices: z
    .record(z.string(), Price)
    .default({})
    .describe(
      'of a million tokens, by backend or backend/model: {"openai/gpt-4.1": {"input": 2, "output": 8}}; any currency',
    ),
  graph: z
    .string()
    .default('auto')
    .describe(
      'how questions are answered: auto takes converse with a capable planner (8B and more, the large hosted families) and investigate with any other; the others are there to compare with these',
    ),
  policy: PolicySettings.prefault({}).describe('what the code of the agent sees to: switches, on or off, and limits'),
  answer: AnswerSettings.prefault({}).describe('how answers are written'),
  seek: SeekSettings.prefault({}).describe('the graph "seek": how it looks at a video without an index'),
  windows: WindowSettings.prefault({}).describe('the graph "windows": how long they are, and how many are looked at'),
  make: MakerRoles.prefault({}).describe('bench make: who writes the questions of a set and who filters them'),
  tools: ToolSettings.prefault({}).describe('what the agent can do to a video'),
  permissions: Permissions.prefault({}).describe('what tools may do; nothing in a video can change it'),
  fetch: Fetch.prefault({}).describe('how a video is fetched from an address'),
  serve: Serve.prefault({}).describe('longtake serve'),
  cluster: ClusterSettings.prefault({}).describe('work that several machines share'),
  watch: Watch.prefault({}).describe('longtake index --watch'),
  limits: Limits.prefault({}).describe('what a command may take of the machine'),
  output: Output.prefault({}).describe('how the command line shows things'),
  judging: Judging.prefault({}).describe('judges of benchmark answers'),
})
export type Config = z.infer<typeof Config>
