import type { ReplyTo } from '../api.ts'

export type RunReply = ReplyTo<'GET /runs/:run'>
export type RecordedStep = RunReply['steps'][number]
export type RunTool = RecordedStep['tools'][number]
