import { huntFaults } from './hunt.ts'

huntFaults('reject')
