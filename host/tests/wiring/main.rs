//! The stateful half of the layered dialect as an engine puts it together: settings files, workspaces, trust, learned
//! and extra rules, reload, and the suite of invariants.

#[cfg(test)]
mod asking;
#[cfg(test)]
mod broken;
#[cfg(test)]
mod extra;
#[cfg(test)]
mod folder;
#[cfg(test)]
mod invariants;
#[cfg(test)]
mod learned;
#[cfg(test)]
mod reload;
#[cfg(test)]
mod trust;
#[cfg(test)]
mod workspaces;
