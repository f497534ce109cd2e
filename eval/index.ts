// What other packages use of the evaluation.
export { openReports } from './serve/reports.ts'
