import type { ToolCard } from '../../../../src/core/chat.ts'
import { argumentsFrom, type FoundCall, toolName } from './found-call.ts'

const functionTag =
  /<(function|invoke)(?:=|\s+name=)["']?([\w.:-]+)["']?\s*>([\s\S]*?)(?:<\/\1>|(?=<(?:function|invoke)[= ])|$)/g
const parameterTag =
  /<parameter(?:=|\s+name=)["']?([^>"']{1,200})["']?[^>]{0,200}>([\s\S]*?)(?:<\/parameter>|(?=<parameter[= ])|(?=<\/(?:function|invoke)>)|$)/g
const pairTag = /<arg_key>([\s\S]*?)<\/arg_key>\s*<arg_value>([\s\S]*?)(?:<\/arg_value>|$)/g

// <function=search><parameter=query>red car</parameter></function>, <invoke name="search">...,
// <function=search>{...}</function>
export function functionTags(text: string, tools: readonly ToolCard[]): FoundCall[] {
  return [...text.matchAll(functionTag)].map(([, , written = '', inner = '']) => {
    const name = toolName(written)
    const parameters = [...inner.matchAll(parameterTag)]
    return { name, arguments: parameters.length > 0 ? typed(parameters, name, tools) : argumentsFrom(inner.trim()) }
  })
}

// search<arg_key>query</arg_key><arg_value>red car</arg_value>
export function keyValueTags(text: string, tools: readonly ToolCard[]): FoundCall[] {
  const name = toolName(/^\s*([\w.:-]+)\s*<arg_key>/.exec(text)?.[1] ?? '')
  if (name === '') return []
  return [{ name, arguments: typed([...text.matchAll(pairTag)], name, tools) }]
}

// Arguments from tags that each hold a key and a value.
function typed(tags: RegExpExecArray[], name: string, tools: readonly ToolCard[]): object {
  const pairs = tags.map(([, key = '', value = '']) => ({ key: key.trim(), value }))
  return Object.fromEntries(pairs.map(({ key, value }) => [key, typedValue(value, findType(tools, name, key))]))
}

// Tags carry no types: a value whose schema says string stays a string; any other is parsed as JSON if it is JSON.
function typedValue(text: string, type: unknown): unknown {
  const value = text.replace(/^\r?\n/, '').replace(/\r?\n$/, '')
  if (type === 'string' || value.trim() === '') return value
  return argumentsFrom(value)
}

function findType(tools: readonly ToolCard[], name: string, key: string): unknown {
  const parameters = tools.find(tool => tool.name === name)?.parameters as
    | { properties?: Record<string, { type?: unknown } | undefined> }
    | undefined
  return parameters?.properties?.[key]?.type
}
