import { huntFaults } from './hunt.ts'

huntFaults('load')
