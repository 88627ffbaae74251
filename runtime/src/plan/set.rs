//! The plans of one registry: bound together, sealed once, never half there.

use alloc::collections::BTreeMap;
use alloc::string::String;
use alloc::vec::Vec;

use crate::case;
use crate::plan::{
    ConstructionError, Coverage, Declarations, HandlerId, HandlerMap, PolicyIdentity, RegisteredTool,
    SecurityCheck, ToolInterceptorPlan, ToolSource,
};
use crate::tool;

/// One plan for every tool of a registry snapshot.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct PlanSet {
    bound: BTreeMap<String, Bound>,
    policy: Option<PolicyIdentity>,
    declared: Declarations,
    sealed: bool,
}

#[derive(Clone, Debug, PartialEq, Eq)]
struct Bound {
    source: ToolSource,
    plan: ToolInterceptorPlan,
}

impl PlanSet {
    /// The sealed plans of a whole snapshot, or the reason why there are none. The inputs are copied, never changed;
    /// equal inputs give equal plans. Linear in tools times handlers.
    pub fn sealed(
        snapshot: &[RegisteredTool],
        policy: Option<&PolicyIdentity>,
        declared: &Declarations,
    ) -> Result<Self, ConstructionError> {
        let mut set = Self::default();
        set.bind(snapshot, policy, declared)?;
        set.seal();
        Ok(set)
    }

    /// Binds every tool of the snapshot. Before [`seal`](Self::seal) this replaces what was bound; afterwards it may only
    /// say the same again, and is an error where a tool would get another plan or none. An error changes nothing.
    pub fn bind(
        &mut self,
        snapshot: &[RegisteredTool],
        policy: Option<&PolicyIdentity>,
        declared: &Declarations,
    ) -> Result<(), ConstructionError> {
        declared.check()?;
        let mut bound = BTreeMap::new();
        for tool in snapshot {
            let entry = Bound {
                source: tool.source.clone(),
                plan: plan(tool, policy, declared),
            };
            if bound.insert(tool.name.clone(), entry).is_some() {
                return Err(ConstructionError::DuplicateTool(tool.name.clone()));
            }
        }
        let next = Self {
            bound,
            policy: policy.cloned(),
            declared: declared.clone(),
            sealed: false,
        };
        if self.sealed {
            return self.says_the_same(&next);
        }
        *self = next;
        Ok(())
    }

    fn says_the_same(&self, other: &Self) -> Result<(), ConstructionError> {
        let mut names = self.bound.keys().chain(other.bound.keys());
        match names.find(|name| self.bound.get(*name) != other.bound.get(*name)) {
            Some(name) if self.bound.contains_key(name) => Err(ConstructionError::PlanReplaced(name.clone())),
            Some(name) => Err(ConstructionError::NotBound(name.clone())),
            None if self.policy != other.policy || self.declared != other.declared => {
                Err(ConstructionError::BindingReplaced)
            }
            None => Ok(()),
        }
    }

    /// Ends binding: from here on no plan changes.
    pub fn seal(&mut self) {
        self.sealed = true;
    }

    /// Gives a tool that was registered later the plan it would have had in the snapshot. Until then
    /// [`plan`](Self::plan) knows no such tool, so the host must not show it.
    pub fn bind_late(&mut self, tool: &RegisteredTool) -> Result<(), ConstructionError> {
        if self.bound.contains_key(&tool.name) {
            return Err(ConstructionError::DuplicateTool(tool.name.clone()));
        }
        let plan = plan(tool, self.policy.as_ref(), &self.declared);
        self.bound.insert(
            tool.name.clone(),
            Bound {
                source: tool.source.clone(),
                plan,
            },
        );
        Ok(())
    }

    /// The plan of the tool that is registered under exactly this name.
    pub fn plan(&self, tool: &str) -> Result<&ToolInterceptorPlan, ConstructionError> {
        match self.bound.get(tool) {
            _ if !self.sealed => Err(ConstructionError::NotSealed),
            Some(bound) => Ok(&bound.plan),
            None => Err(ConstructionError::NotBound(String::from(tool))),
        }
    }

    /// Every tool with its source and plan, by name.
    pub fn coverage(&self) -> impl Iterator<Item = Coverage<'_>> {
        self.bound.iter().map(|(name, bound)| Coverage {
            name,
            source: &bound.source,
            plan: &bound.plan,
        })
    }

    /// Declared keys that meet no tool: their handlers run for nothing. In the order of phases, then of keys.
    pub fn idle_keys(&self) -> Vec<&str> {
        let met = |key: &str| {
            self.bound
                .keys()
                .any(|name| keys_of(name).contains(&case::lower_text(key)))
        };
        let keys = self.declared.phases().into_iter().flat_map(BTreeMap::keys);
        keys.map(String::as_str)
            .filter(|key| *key != "*" && !met(key))
            .collect()
    }
}

impl Declarations {
    fn phases(&self) -> [&HandlerMap; 4] {
        [&self.security_pre, &self.transforms, &self.post, &self.on_error]
    }

    fn check(&self) -> Result<(), ConstructionError> {
        for phase in self.phases() {
            let mut seen: BTreeMap<String, &String> = BTreeMap::new();
            for key in phase.keys() {
                if let Some(other) = seen.insert(case::lower_text(key), key) {
                    return Err(ConstructionError::CollidingKeys(other.clone(), key.clone()));
                }
            }
        }
        Ok(())
    }
}

fn plan(
    tool: &RegisteredTool,
    policy: Option<&PolicyIdentity>,
    declared: &Declarations,
) -> ToolInterceptorPlan {
    let keys = keys_of(&tool.name);
    let checks = in_order(None, &declared.security_pre, &keys)
        .into_iter()
        .map(SecurityCheck::Handler);
    ToolInterceptorPlan {
        tool_name: tool.name.clone(),
        security_pre: policy
            .cloned()
            .map(SecurityCheck::Policy)
            .into_iter()
            .chain(checks)
            .collect(),
        transforms: in_order(tool.preprocessor.as_ref(), &declared.transforms, &keys),
        post: in_order(tool.postprocessor.as_ref(), &declared.post, &keys),
        on_error: in_order(None, &declared.on_error, &keys),
    }
}

/// The keys that apply to a tool, in their order. Keys are looked up as tools of rules are: case does not count.
fn keys_of(name: &str) -> [String; 3] {
    let canonical = tool::canonical(name);
    let compatible = [&canonical, "_tool"].concat();
    [String::from("*"), canonical, compatible]
}

/// The tool's own handler, then those of the keys, each once, at its first place.
fn in_order(own: Option<&HandlerId>, declared: &HandlerMap, keys: &[String; 3]) -> Vec<HandlerId> {
    let mut handlers: Vec<HandlerId> = own.cloned().into_iter().collect();
    for key in keys {
        let under_key = declared.iter().filter(|(name, _)| case::lower_text(name) == *key);
        for handler in under_key.flat_map(|(_, handlers)| handlers) {
            if !handlers.contains(handler) {
                handlers.push(handler.clone());
            }
        }
    }
    handlers
}
