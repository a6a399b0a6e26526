import { huntFaults } from './hunt.ts'

huntFaults('refuse')
