import { huntFaults } from './hunt.ts'

huntFaults('bearer')
