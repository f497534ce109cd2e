import {
  CLIENT_CAPABILITIES_META_KEY,
  type McpServer,
  MissingRequiredClientCapabilityError,
  ProtocolError,
  ProtocolErrorCode,
  type ServerContext,
} from '@modelcontextprotocol/server'
import { z } from 'zod'
import type { Job } from '../../../../src/core/api/job.ts'
import { isOver } from '../../../../src/core/api/job-state.ts'
import { Refused } from '../../../../src/core/api/problem.ts'
import type { Workplace } from '../../work/workplace.ts'
import { describeDoing } from './doing.ts'

// The Tasks extension (SEP-2663): a job is a task under the same id. The SDK carries it and has no helper for it.
export const tasksExtension = 'io.modelcontextprotocol/tasks'
const required = { extensions: { [tasksExtension]: {} } }
const pollIntervalMs = 1000

const Envelope = z.object({
  [CLIENT_CAPABILITIES_META_KEY]: z.object({ extensions: z.record(z.string(), z.unknown()) }),
})

// Each request says for itself whether its client takes tasks.
export function declaresTasks({ mcpReq }: ServerContext): boolean {
  const declared = Envelope.safeParse(mcpReq.envelope).data
  return declared?.[CLIENT_CAPABILITIES_META_KEY].extensions[tasksExtension] !== undefined
}

export function taskFromJob(job: Job) {
  return { resultType: 'task', ...readTaskState(job) }
}

function readTaskState(job: Job) {
  const { id, state, created, started, ended } = job
  return {
    taskId: id,
    // An answer that failed is a result with an error; only what breaks the protocol is a failed task.
    status: state === 'cancelled' ? 'cancelled' : isOver(state) ? 'completed' : 'working',
    statusMessage: describeDoing(job),
    createdAt: created,
    lastUpdatedAt: ended ?? started ?? created,
    ttlMs: null,
    pollIntervalMs,
  }
}

// `resultOf`: what the call would have answered at the end.
export function registerTasks(server: McpServer, { jobs }: Workplace, resultOf: (job: Job) => Promise<object>): void {
  const handle = (method: string, answer: (job: Job) => object | Promise<object>) => {
    const params = z.looseObject({ taskId: z.string() })
    server.server.setRequestHandler(method, { params, result: z.looseObject({}) }, async ({ taskId }, context) => {
      if (!declaresTasks(context)) throw new MissingRequiredClientCapabilityError({ requiredCapabilities: required })
      const job = await jobs.job(taskId).catch(error => {
        if (!(error instanceof Refused)) throw error
        throw new ProtocolError(ProtocolErrorCode.InvalidParams, 'There is no task with this id.')
      })
      return { ...(await answer(job)) }
    })
  }
  handle('tasks/get', async job => ({
    ...readTaskState(job),
    ...(readTaskState(job).status === 'completed' && { result: await resultOf(job) }),
  }))
  handle('tasks/update', () => ({})) // no task asks for anything
  handle('tasks/cancel', async job => {
    await jobs.cancel(job.id)
    return {}
  })
}
