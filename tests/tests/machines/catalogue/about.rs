//! What is said of the policies is so.

use gpusched::policy::catalogue::{About, CatalogueConfig, Policy};
use serde_json::{Value, json};

#[test]
fn every_policy_is_listed_once_in_order() {
    assert_eq!(About::ALL.len(), 21);
    for (i, about) in About::ALL.iter().enumerate() {
        assert_eq!(about.policy as usize, i, "{}", about.name);
        assert_eq!(serde_json::to_value(about.policy).unwrap(), json!(about.name));
        assert_eq!((About::of(about.policy), About::named(about.name)), (about, Some(about)));
        assert!([about.does, about.source, about.place, about.hazard].iter().all(|text| !text.is_empty()));
    }
    assert_eq!(About::named("first"), None);
    assert_eq!(CatalogueConfig::default(), CatalogueConfig::of(Policy::Rr));
}

/// Each parameter that a policy reads is one of the configuration, and each that no policy reads is the GPU's.
#[test]
fn parameters_are_of_the_configuration() {
    let Value::Object(all) = serde_json::to_value(CatalogueConfig::default()).unwrap() else { panic!("no object") };
    for about in About::ALL {
        assert_eq!(CatalogueConfig::of(about.policy).check(), Ok(()), "{}", about.name);
        assert!(about.parameters.iter().all(|reads| all.contains_key(reads.name)), "{}", about.name);
        assert!(about.has("pass"), "{}", about.name);
    }
    let of_none: Vec<_> = all.keys().filter(|name| !About::ALL.iter().any(|about| about.has(name))).collect();
    assert_eq!(of_none, ["gpc", "n_smx", "policy", "regs", "slots", "smem", "threads", "tpc", "units"]);
}
