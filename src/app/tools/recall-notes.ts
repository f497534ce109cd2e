import { noteSource, restsOn } from '../../../tools/longshot/memory-tool.ts'
import type { Step } from '../../core/agent.ts'
import type { Memory } from '../../core/tool.ts'

// The notes that a stopped run had made, from its steps: finished calls are not made again when it goes on.
export function recallNotes(memory: Memory, steps: readonly Step[]): void {
  for (const { tool, input, outcome, round, evidence } of steps) {
    if (tool !== 'memory_tool' || outcome !== 'found') continue
    const { func, data } = input as { func: string; data: string }
    if (func === 'add') memory.add(data, noteSource(round, restsOn(evidence)))
    if (func === 'delete') memory.remove(/\bm[0-9a-f]{8}\b/.exec(data)?.[0] ?? data.trim())
  }
}
