import { unknownName } from '../src/core/errors.ts'
import type { Tool } from '../src/core/tool.ts'

type ToolFiles = Record<string, () => Promise<{ default: Tool }>>

// What the agent can do to a video, by name; each file is loaded when first asked for.
export const coreTools: ToolFiles = {
  overview: () => import('./overview.ts'),
  browse: () => import('./browse.ts'),
  search: () => import('./search.ts'),
  timeline: () => import('./timeline.ts'),
  who: () => import('./who.ts'),
  transcribe: () => import('./transcribe.ts'),
  read_text: () => import('./read-text.ts'),
  look: () => import('./look.ts'),
  listen: () => import('./listen.ts'),
  verify_claim: () => import('./verify-claim.ts'),
  calculator: () => import('./calculator/calculator.ts'),
  focus: () => import('./focus.ts'),
}

// The sixteen of LongShOTBench (table 5 of its paper), by its names and parameters; most are other names for the same skills.
export const longshotToolFiles: ToolFiles = {
  transcribe_speech: () => import('./longshot/transcribe-speech.ts'),
  extract_scene_text: () => import('./longshot/extract-scene-text.ts'),
  count_objects: () => import('./longshot/count-objects.ts'),
  object_detection: () => import('./longshot/object-detection.ts'),
  extract_math_exp: () => import('./longshot/extract-math-exp.ts'),
  calculator: () => import('./calculator/calculator.ts'),
  web_search: () => import('./web/web-search.ts'),
  detect_audio_events: () => import('./longshot/detect-audio-events.ts'),
  execute_code: () => import('./code/execute-code.ts'),
  detect_activities: () => import('./longshot/detect-activities.ts'),
  summarize_segment: () => import('./longshot/summarize-segment.ts'),
  detect_faces: () => import('./longshot/detect-faces.ts'),
  cross_modal_search: () => import('./longshot/cross-modal-search.ts'),
  memory_tool: () => import('./longshot/memory-tool.ts'),
  translate_speech: () => import('./longshot/translate-speech.ts'),
  translate_text: () => import('./longshot/translate-text.ts'),
}

export const toolFiles: ToolFiles = { ...coreTools, ...longshotToolFiles }

export async function openTools(names: readonly string[] = Object.keys(coreTools)): Promise<Tool[]> {
  return Promise.all(
    names.map(async name => {
      const load = Object.hasOwn(toolFiles, name) && toolFiles[name]
      if (!load) throw unknownName('tool', name, Object.keys(toolFiles))
      return (await load()).default
    }),
  )
}
