import type { ReplyTo } from '../api.ts'

export type Report = ReplyTo<'GET /reports/:report'>
export type ConfigurationSummary = Report['configurations'][number]
export type QuestionSummary = Report['questions'][number]
export type Cell = QuestionSummary['cells'][number]
export type AskedQuestion = ReplyTo<'GET /reports/:report/questions/:question'>
