// What other packages use of the server.
export { serveReview } from './server/review-server.ts'
