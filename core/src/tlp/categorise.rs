//! A kernel's type (tlp-C1, tlp-C2), from how fast it is alone at each TLP; what it leans on (tlp-O3).

use super::config::TlpConfig;
use super::kernel::{Category, KernelType, Pref};
use crate::base::error::Fault;

/// The most values of a profile.
const MAX_PROFILE: usize = 32;

impl TlpConfig {
    /// The type of a kernel whose speed is `profile[n - 1]` with n TBs per SM: any measure, the more the better.
    ///
    /// ```
    /// use gpusched::tlp::{Category, KernelType, TlpConfig};
    ///
    /// let category = TlpConfig::GTX480.categorise(&[100, 150, 170, 180, 160, 120])?;
    /// assert_eq!(category, Category { kind: KernelType::Optimal, opt: 4 });
    /// # Ok::<(), gpusched::Fault>(())
    /// ```
    ///
    /// # Errors
    /// `BadProfile`: none or more than 32 values.
    pub fn categorise(&self, profile: &[u64]) -> Result<Category, Fault> {
        let best = match profile.iter().max() {
            Some(&best) if profile.len() <= MAX_PROFILE => best,
            _ => return Err(Fault::BadProfile),
        };
        // tlp-C1: the lowest TLP that is good enough.
        let enough = u128::from(best) * u128::from(1000u32.saturating_sub(self.tol_permille));
        let lower = profile.iter().take_while(|&&value| u128::from(value) * 1000 < enough).count();
        let opt = lower as u8 + 1;
        // tlp-C2.
        let kind = match opt {
            1 => KernelType::Down,
            _ if usize::from(opt) == profile.len() => KernelType::Up,
            _ => KernelType::Optimal,
        };
        Ok(Category { kind, opt })
    }

    /// What a kernel leans on that keeps the pipelines busy for so many cycles: compute if the utilisation of SP is not the lower
    /// one (tlp-O3).
    #[must_use]
    pub fn pref(&self, sp: u64, ldst: u64) -> Pref {
        let (sp, ldst) = (u128::from(sp) * u128::from(self.ldst_units), u128::from(ldst) * u128::from(self.sp_units));
        if sp >= ldst { Pref::Compute } else { Pref::Memory }
    }
}
