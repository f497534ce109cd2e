// What models can do whose server does not say, by their well-known names: the first row that fits counts. A field that is left
// out is not known. `since` (year and month) orders families by age.
interface ModelFamily {
  name: RegExp
  kind: 'chat' | 'embeds' | 'reranks' | 'transcribes' | 'other'
  sees?: boolean
  hears?: boolean
  callsTools?: boolean
  thinks?: boolean
  hosted?: true // runs nowhere but at its maker's: a local server that lists it passes the requests on
  since?: string
}

const yes = { callsTools: true } as const
const seesAndCalls = { sees: true, callsTools: true } as const
const text = { sees: false, callsTools: true } as const
const hosted = { hosted: true } as const

const modelFamilies: readonly ModelFamily[] = [
  { name: /rerank/, kind: 'reranks' },
  { name: /embed|(^|[/-])(bge|e5|gte|clip)-|nomic|minilm|mxbai|siglip/, kind: 'embeds' },
  { name: /whisper|parakeet|canary|transcribe|-asr|sense-?voice|moonshine|wav2vec/, kind: 'transcribes' },
  {
    name: /tts|dall-e|imagen|-image|(^|\/)(image|veo|sora|lyria|flux|aqa|babbage|davinci)|realtime|moderation|guard|-live|diffusion|computer-use|robotics|banana|musicgen/,
    kind: 'other',
  },

  { name: /(^|\/)gpt-oss/, kind: 'chat', ...text, thinks: true, since: '2025-08' },
  { name: /gpt-4o.*audio|gpt-audio/, kind: 'chat', sees: false, hears: true, ...yes, ...hosted, since: '2024-10' },
  { name: /(^|\/)gpt-[5-9]/, kind: 'chat', ...seesAndCalls, thinks: true, ...hosted, since: '2025-08' },
  { name: /(^|\/)o[134](-|$)/, kind: 'chat', ...yes, thinks: true, ...hosted, since: '2025-04' },
  { name: /(^|\/)gpt-4\.[15]/, kind: 'chat', ...seesAndCalls, ...hosted, since: '2025-04' },
  { name: /(^|\/)(chat)?gpt-4o/, kind: 'chat', ...seesAndCalls, ...hosted, since: '2024-05' },
  { name: /(^|\/)gpt-4-turbo/, kind: 'chat', ...seesAndCalls, ...hosted, since: '2024-04' },
  { name: /(^|\/)gpt-(3\.5|4)/, kind: 'chat', ...text, ...hosted, since: '2023-03' },
  { name: /gemini-4/, kind: 'chat', ...seesAndCalls, hears: true, thinks: true, ...hosted, since: '2026-09' },
  { name: /gemini-3/, kind: 'chat', ...seesAndCalls, hears: true, thinks: true, ...hosted, since: '2025-11' },
  { name: /gemini-2\.5/, kind: 'chat', ...seesAndCalls, hears: true, thinks: true, ...hosted, since: '2025-06' },
  { name: /gemini-/, kind: 'chat', ...seesAndCalls, hears: true, ...hosted, since: '2024-05' },
  { name: /claude-(opus|sonnet|haiku)-/, kind: 'chat', ...seesAndCalls, thinks: true, ...hosted, since: '2025-05' },
  { name: /claude-/, kind: 'chat', ...seesAndCalls, ...hosted, since: '2024-03' },
  { name: /(^|\/)grok-/, kind: 'chat', ...yes, ...hosted, since: '2025-07' },

  { name: /qwen-?3-?omni/, kind: 'chat', ...seesAndCalls, hears: true, since: '2025-09' },
  { name: /qwen-?3-?vl/, kind: 'chat', ...seesAndCalls, since: '2025-10' },
  { name: /qwen-?3\.8/, kind: 'chat', ...yes, thinks: true, since: '2026-08' },
  { name: /qwen-?3\.[5-9]/, kind: 'chat', ...yes, thinks: true, since: '2026-02' },
  { name: /qwen-?3/, kind: 'chat', ...text, since: '2025-04' },
  { name: /qwen-?2\.5-?omni/, kind: 'chat', sees: true, hears: true, since: '2025-03' },
  { name: /qwen-?2\.5-?vl/, kind: 'chat', sees: true, since: '2025-01' },
  { name: /qwen-?2-?vl/, kind: 'chat', sees: true, since: '2024-08' },
  { name: /qwen-?2-?audio/, kind: 'chat', sees: false, hears: true, since: '2024-07' },
  { name: /qwq|qwen-?2\.5/, kind: 'chat', ...text, since: '2024-09' },
  { name: /gemma-?4/, kind: 'chat', ...seesAndCalls, since: '2026-03' },
  { name: /gemma-?3n/, kind: 'chat', since: '2025-06' },
  { name: /gemma-?3.*(1b|270m)/, kind: 'chat', sees: false, since: '2025-03' },
  { name: /gemma-?3/, kind: 'chat', sees: true, since: '2025-03' },
  { name: /gemma/, kind: 'chat', sees: false, since: '2024-06' },
  { name: /llama-?4/, kind: 'chat', ...seesAndCalls, since: '2025-04' },
  { name: /llama-?3\.2.*vision/, kind: 'chat', sees: true, since: '2024-09' },
  { name: /llama-?3/, kind: 'chat', ...text, since: '2024-07' },
  { name: /ministral-?3/, kind: 'chat', ...seesAndCalls, since: '2025-12' },
  { name: /mistral-?small-?3\.[1-9]|mistral-?medium-?3/, kind: 'chat', ...seesAndCalls, since: '2025-03' },
  { name: /pixtral/, kind: 'chat', sees: true, since: '2024-09' },
  { name: /voxtral/, kind: 'chat', sees: false, hears: true, since: '2025-07' },
  { name: /mistral|ministral|magistral|devstral/, kind: 'chat', callsTools: true, since: '2024-07' },
  { name: /glm-4\.[5-9]v/, kind: 'chat', ...seesAndCalls, since: '2025-08' },
  { name: /glm-4\.[5-9]/, kind: 'chat', ...text, since: '2025-07' },
  { name: /internvl/, kind: 'chat', sees: true, since: '2025-04' },
  { name: /minicpm-(v|o)/, kind: 'chat', sees: true, since: '2025-01' },
  { name: /phi-?4-multimodal/, kind: 'chat', sees: true, hears: true, since: '2025-02' },
  { name: /phi-?4/, kind: 'chat', sees: false, since: '2024-12' },
  { name: /granite.*vision/, kind: 'chat', sees: true, since: '2025-02' },
  { name: /granite/, kind: 'chat', ...text, since: '2024-10' },
  { name: /audio-flamingo/, kind: 'chat', sees: false, hears: true, since: '2025-07' },
  { name: /kimi-vl|deepseek-vl/, kind: 'chat', sees: true, since: '2025-04' },
  { name: /kimi-k2|deepseek/, kind: 'chat', ...yes, since: '2025-01' },
  { name: /smolvlm|llava|moondream|molmo|idefics|paligemma|bakllava/, kind: 'chat', sees: true, since: '2024-01' },
]

export function findModelFamily(model: string): Partial<ModelFamily> | undefined {
  const name = model.toLowerCase()
  return modelFamilies.find(family => family.name.test(name))
}
