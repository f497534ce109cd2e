import type { ToolCall } from '../chat.ts'
import type { Track } from '../evidence.ts'
import type { Tool, ToolKind, ToolWish } from '../tool.ts'

// A call of the first tool of a kind that can be given the wish, whatever the tool and its parameters are called; none if
// no tool is of that kind. What is listed can also be read track by track.
export function buildCalls(tools: readonly Tool[], kind: ToolKind, id: string, wish: ToolWish): ToolCall[] {
  const tool = tools.find(one => one.kind === kind && takes(one, wish))
  if (tool) return [buildCall(tool, id, wish)]
  if (kind !== 'list') return []
  return (wish.tracks ?? []).flatMap(track => {
    const reader = findReader(tools, track, wish)
    return reader && reader.kind !== 'look' ? [buildCall(reader, `${id}-${track}`, wish)] : []
  })
}

// A call of the tool that goes back to a track of the video itself.
export function closerCalls(tools: readonly Tool[], track: Track, id: string, wish: ToolWish): ToolCall[] {
  const reader = findReader(tools, track, wish)
  return reader ? [buildCall(reader, id, wish)] : []
}

// Undefined of a tool that is not there.
export function findKind(tools: readonly Tool[], name: string): ToolKind | undefined {
  return tools.find(one => one.name === name)?.kind
}

const closer: readonly (ToolKind | undefined)[] = ['look', 'listen', 'read']

function findReader(tools: readonly Tool[], track: Track, wish: ToolWish): Tool | undefined {
  return tools.find(one => closer.includes(one.kind) && one.makes?.includes(track) && takes(one, wish))
}

function takes(tool: Tool, wish: ToolWish): boolean {
  return tool.input.safeParse(buildArguments(tool, wish)).success
}

function buildCall(tool: Tool, id: string, wish: ToolWish): ToolCall {
  return { id, name: tool.name, arguments: buildArguments(tool, wish) }
}

function buildArguments(tool: Tool, wish: ToolWish): object {
  return tool.arguments?.(wish) ?? wish
}
