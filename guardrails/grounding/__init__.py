"""The post-validator: each rule holds a draft against what was shown."""
