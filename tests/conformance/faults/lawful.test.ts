import { huntAlarms } from './hunt.ts'

huntAlarms()
