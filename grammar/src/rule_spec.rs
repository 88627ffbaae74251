//! Rule specs of the layered dialect: `Tool` or `Tool(pattern)`, through `rule_spec.pest`.
