import { join } from 'node:path'
import { BackendError, UsageError } from '../../../../src/core/errors.ts'
import { writeDurably } from '../../../../src/store/durable.ts'
import { splitAskedBy } from '../../../data/asked-by.ts'
import { splitCommand, withAgent } from './agent-process.ts'
import type { Answerer } from './answerer.ts'
import { type AskHost, askCommand, checkCommandHost } from './command-host.ts'

const configPlace = '{config}'
const questionPlace = '{question}'

// A command that takes an MCP configuration file and prints its answer. It reads the question from stdin, or where the command has
// {question}.
const mcpHost: Answerer = {
  async check(parts) {
    const { command = '' } = splitAskedBy(parts.by)
    if (!command.includes(configPlace))
      throw new UsageError(`--by mcp-host does not say where "${command}" takes its MCP configuration.`, {
        hint: `Put ${configPlace} there: --by "mcp-host:claude -p --mcp-config ${configPlace}".`,
      })
    await checkCommandHost(parts)
  },
  open: (asking, folder) => askCommand(asking, folder, askCommandOnce),
}
export default mcpHost

export const askCommandOnce: AskHost = async (named, text, { command, args, env, folder }, limits) => {
  const config = join(folder, 'mcp.json')
  await writeDurably(config, JSON.stringify({ mcpServers: { longtake: { command, args, env } } }))
  const words = splitCommand(named).map(word =>
    word.replaceAll(configPlace, () => config).replaceAll(questionPlace, () => text),
  )
  return withAgent({ words, folder, ...limits }, async agent => {
    let answer = ''
    agent.onOutput(piece => {
      answer += piece
    })
    if (!named.includes(questionPlace)) agent.write(text)
    agent.closeInput()
    await agent.ended
    if (answer.trim() === '') throw new BackendError('The agent gave no answer: it ended and printed nothing.')
    return { text: answer }
  })
}
