import { describe, expect, test } from 'vitest'
import { oracle, withOracle } from '../../../../tests/support/oracle.ts'
import type { Dict } from '../python-error.ts'
import { countParameters, scoreToolUse, type ToolCriterion, type ToolDefinition, toolCriteria } from './criteria.ts'
import { expectedCalls, readToolCalls } from './tool-calls.ts'

const tools = 'longshot/inputs/tools_from_paper_table5.json'

// What the released total is, and what of it can be had.
function ceiling(criteria: readonly ToolCriterion[]): { total: number; attainable: number } {
  const sum = (items: readonly ToolCriterion[]) => items.reduce((total, { weight }) => total + Math.max(0, weight), 0)
  return { total: sum(criteria), attainable: sum(criteria.filter(({ is_penalty }) => !is_penalty)) }
}

withOracle(tools, 'longshot/outputs/v1_tool_criteria.json')('the rubric of a turn', () => {
  const definitions = oracle<ToolDefinition[]>(tools)

  test('parameters of each tool', () => {
    for (const { tool, required_optional } of oracle<{ tool: string; required_optional: number[] }[]>(
      'longshot/outputs/v1_count_params.json',
    )) {
      const { required, optional } = countParameters(tool, definitions)
      expect([required, optional], tool).toEqual(required_optional)
    }
  })

  test('names, weights, and what of the total can be had', () => {
    interface Rubric {
      expected_tool_calls: Dict[]
      criteria: { name: string; weight: number; is_penalty: boolean }[]
      max_in_official_scorer: number
      attainable: number
      ceiling: number | null
    }
    for (const [name, wanted] of Object.entries(
      oracle<Record<string, Rubric>>('longshot/outputs/v1_tool_criteria.json'),
    )) {
      const criteria = toolCriteria(wanted.expected_tool_calls, definitions)
      expect(
        criteria.map(({ description: _, ...rest }) => rest),
        name,
      ).toEqual(wanted.criteria.map(({ name, weight, is_penalty }) => ({ name, weight, is_penalty })))
      const { total, attainable } = ceiling(criteria)
      expect([total, attainable, total === 0 ? null : attainable / total], name).toEqual([
        wanted.max_in_official_scorer,
        wanted.attainable,
        wanted.ceiling,
      ])
    }
  })

  test('strictly scored, a perfect turn reaches everything and every fault costs', () => {
    const expected = [
      { tool: 'count_objects', parameters: { timestamp: '00:10', object_query: 'cars' } },
      { tool: 'calculator', parameters: { expression: '1+1' } },
    ]
    const score = (made: Dict[]) =>
      scoreToolUse(
        expected,
        made.map(({ tool, parameters }) => ({ tool, parameters })),
        definitions,
      )
    const perfect = score(expected)
    expect(perfect.points).toBe(perfect.attainable)
    expect(perfect.attainable).toBe(2 + 2 + 0.25 + 1)
    expect(
      score([{ tool: 'count_objects', parameters: { timestamp: '00:10', object_query: 'Cars' } }, expected[1]!]).points,
    ).toBe(perfect.points)
    expect(score([expected[1]!, expected[0]!]).points).toBe(perfect.points - 0.5)
    expect(score([...expected, expected[0]!]).points).toBe(perfect.points - 1)
    expect(score([...expected, { tool: 'web_search', parameters: {} }]).points).toBe(perfect.points - 3)
    expect(score([{ tool: 'web_search', parameters: {} }]).points).toBe(0)
  })
})

withOracle('longshot/outputs/v1_parse_tool_calls.json', 'longshot/outputs/v1_get_tool_calls.json')(
  'replies of the agentic part',
  () => {
    test('tool calls', () => {
      for (const { in: reply, out } of oracle<{ in: string; out: { value: unknown } }[]>(
        'longshot/outputs/v1_parse_tool_calls.json',
      ))
        expect(readToolCalls(reply), reply).toEqual(out.value)
    })

    test('expected calls of a turn', () => {
      for (const { turn, out } of oracle<{ turn: Dict; out: unknown }[]>('longshot/outputs/v1_get_tool_calls.json'))
        expect(expectedCalls(turn)).toEqual(out)
    })
  },
)

describe('tool calls that no oracle holds', () => {
  test('a list without tools, broken JSON and bare words are no calls', () => {
    for (const reply of [
      '',
      '```json\n{"tool_calls": 5}\n```',
      '```json\n{"tool_calls": [1, "x"]}\n```',
      'calculator(expression="1")',
    ])
      expect(readToolCalls(reply), reply).toEqual([])
  })
})
