/** JSONPath by RFC 9535. The build puts the package into this file. */
export { jsonpath } from 'json-p3'
