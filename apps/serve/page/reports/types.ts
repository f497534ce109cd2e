import type { ReplyTo } from '../api.ts'

export type Report = ReplyTo<'GET /reports/:report'>
export type ReportConfiguration = Report['configurations'][number]
export type ReportQuestion = Report['questions'][number]
export type Cell = ReportQuestion['cells'][number]
export type AskedQuestion = ReplyTo<'GET /reports/:report/questions/:question'>
