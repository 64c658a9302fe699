module hot/reach
