// gpusched_tlp.hpp: the C++17 face of TLP modulation, gpusched_tlp_* of gpusched.h; gpusched.hpp says how it differs from C.
//
//   auto sm = gpusched::tlp::Sm::create();
//   if (!sm) return fail(sm.status().text());
//   sm->attach(now, KernelId{0}, kernel({128, 1024, 0}, KernelType::Down, 1));
//   const auto tb = sm->dispatch(now, true, false);
//   if (tb && tb->sent()) launch(tb->slot(), tb->bypass());
#ifndef GPUSCHED_TLP_HPP
#define GPUSCHED_TLP_HPP

#include <gpusched_tlp_leftover.hpp>
#include <gpusched_tlp_pool.hpp>
#include <gpusched_tlp_sm.hpp>
#include <gpusched_tlp_smart_even.hpp>
#include <gpusched_tlp_smc.hpp>

#endif  // GPUSCHED_TLP_HPP
