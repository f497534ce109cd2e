// What other packages use of the evaluation.

export { openScorers } from './scorers.ts'
export { openReports } from './serve/reports.ts'
