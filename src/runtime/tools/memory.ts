import { noteSource, restsOn } from '../../../tools/longshot/memory-tool.ts'
import type { Step } from '../../core/agent.ts'
import { contentHash } from '../../core/json.ts'
import type { Memory } from '../../core/tool.ts'

type Note = ReturnType<Memory['search']>[number]

// The notes of one run, each with where it came from; those that hold more of the words come first. No words: all notes.
export function runMemory(): Memory {
  const notes = new Map<string, Note>()
  return {
    add(text, source) {
      const id = `m${contentHash([text, source]).slice(0, 8)}`
      notes.set(id, { id, text, source })
      return id
    },
    remove: id => notes.delete(id),
    search(query) {
      const words = splitWords(query)
      const matches = (note: Note) => {
        const noteWords = new Set(splitWords(note.text))
        return words.filter(word => noteWords.has(word) || note.id === word).length
      }
      const all = [...notes.values()]
      if (words.length === 0) return all
      return all.filter(note => matches(note) > 0).sort((a, b) => matches(b) - matches(a))
    },
  }
}

function splitWords(text: string): string[] {
  return [...new Set(text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [])]
}

// The notes that a stopped run had made, from its steps: finished calls are not made again when it goes on.
export function recallNotes(memory: Memory, steps: readonly Step[]): void {
  for (const { tool, input, outcome, round, evidence } of steps) {
    if (tool !== 'memory_tool' || outcome !== 'found') continue
    const { func, data } = input as { func: string; data: string }
    if (func === 'add') memory.add(data, noteSource(round, restsOn(evidence)))
    if (func === 'delete') memory.remove(/\bm[0-9a-f]{8}\b/.exec(data)?.[0] ?? data.trim())
  }
}
