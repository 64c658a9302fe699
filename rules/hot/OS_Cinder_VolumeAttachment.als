module hot/OS_Cinder_VolumeAttachment
open hot/core
open hot/attachments
