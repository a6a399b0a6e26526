/** In the published package, this file has the library in it: installed, it would be 4 MB, most of which are maps of its sources. */
export { LRUCache } from 'lru-cache'
