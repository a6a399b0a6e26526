/** In the published package, this file has the library in it: installed, it would be 1 MB, for one function. */
export { stringify } from 'csv-stringify/sync'
